const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Aggregates whose value depends on the order of the rows, also as windows. */
export const orderedAggregates: ReadonlySet<string> = new Set(
  words(`
  any_value arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin array_agg first group_concat last list listagg
  max_by min_by string_agg
`),
);

/** Windows whose value differs between rows that their ORDER BY does not tell apart. */
export const orderedWindows: ReadonlySet<string> = new Set(
  words("first_value lag last_value lead nth_value ntile row_number"),
);

/**
 * The functions and operators that a query may use: those of DuckDB 1.5.5 whose value is the same on every machine and at every
 * run. A new version of DuckDB changes nothing of a listed one's value without a look at its notes; a test compares the names
 * with the ones that DuckDB has.
 */
export const allowedFunctions: ReadonlySet<string> = new Set([
  ...orderedAggregates,
  ...orderedWindows,
  ...words(`
  + - * // % || & | << >> ~ ~~ !~~ ~~* !~~* ~~~ ^@
  abs add bit_count ceil ceiling divide even factorial floor gcd greatest greatest_common_divisor lcm
  least least_common_multiple mod multiply round sign sqrt subtract trunc xor nullif
  ascii char_length character_length chr concat concat_ws contains ends_with hamming ilike_escape instr lcase left length
  levenshtein like_escape lower lpad ltrim mismatches not_ilike_escape not_like_escape ord position prefix regexp_extract
  regexp_extract_all regexp_full_match regexp_matches regexp_replace repeat replace reverse right rpad rtrim split
  split_part starts_with str_split string_split string_to_array strlen strpos substr substring suffix translate trim ucase
  unicode upper
  base64 bin decode encode from_base64 from_hex hex md5 md5_number md5_number_lower md5_number_upper octet_length sha1
  sha256 to_base64 to_binary to_hex unhex
  date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayofmonth dayofweek dayofyear
  epoch_ms hour isodow last_day make_date make_timestamp minute month quarter second strftime to_days to_hours
  to_minutes to_seconds to_timestamp week weekday weekofyear year
  array_append array_apply array_cat array_concat array_contains array_extract array_filter array_has array_has_all
  array_has_any array_indexof array_length array_position array_prepend array_reverse array_reverse_sort array_select
  array_slice array_sort array_transform array_value array_where array_zip element_at flatten generate_series len
  list_append list_apply list_cat list_concat list_contains list_count list_element list_extract list_filter list_has
  list_has_all list_has_any list_indexof list_max list_min list_pack list_position list_prepend list_reverse
  list_reverse_sort list_select list_slice list_sort list_sum list_transform list_unique list_value list_where list_zip
  range row struct_extract struct_extract_at struct_pack unnest
  bit_and bit_or bit_xor bool_and bool_or count count_if count_star countif max min quantile quantile_disc sum
  dense_rank rank rank_dense
`),
]);

const advices: readonly (readonly [names: RegExp, advice: string])[] = [
  [/^(?:avg|mean)$/, "Its last digits differ between processors. Write sum(x) // count(x) over integers."],
  [/^\/$/, "It gives a float, which rounds amounts. Write x // y, or x * 1000 // y for three more digits."],
  [/^(?:median|quantile_cont)$/, "It computes with floats, which round amounts. Write quantile_disc(x, 0.5)."],
  [/^(?:percent_rank|cume_dist)$/, "It gives a float. Write rank() and count(*)."],
  [/^epoch$/, "It gives a float. Write epoch_ms(x) // 1000."],
  [/^approx_count/, "Write count(distinct x)."],
  [/^(?:approx_|reservoir_)/, "It estimates. Write quantile_disc(x, 0.5)."],
  [
    /^(?:list_|array_)?aggr(?:egate)?$|^(?:list|array)_aggr(?:egate)?$/,
    "Write list_sum(x), list_min(x) or list_max(x).",
  ],
  [
    /^(?:exp|ln|log|log2|log10|gamma|lgamma)$/,
    "Its last digits differ between machines. Write integers, or a table of steps.",
  ],
  [/^(?:pow|power|\^|\*\*|cbrt)$/, "Its last digits differ between machines. Write x * x."],
  [/^a?(?:sin|cos|tan)h?$|^(?:atan2|cot|degrees|radians|pi)$/, "Its last digits differ between machines."],
  [
    /^(?:std|var|sem$|corr|covar|regr_|skew|kurt|entropy|mad$)/,
    "It depends on the order of the rows. Write sum(x), sum(x * x) and count(*).",
  ],
  [
    /^(?:fsum|favg|kahan_sum|sumkahan|product|geo)/,
    "It adds floats, whose sum depends on the order of the rows. Write sum(x) over integers.",
  ],
  [
    /^(?:mode|histogram|fill)/,
    "It depends on the order of the rows if two values are as frequent. Write count(*) with group by.",
  ],
  [/^hash$/, "Its value is another one in each version of DuckDB. Write md5_number(x::varchar)."],
];

/** Returns what to write instead of a function that is not allowed. */
export function adviceOf(name: string): string {
  const [, advice] = advices.find(([names]) => names.test(name)) ?? [];
  return advice ?? "Scores have to be the same at every run, on every machine; docs/policy.md lists the functions.";
}
