import { expect, test } from "vitest";
import { findDropped, openSources, readPolicy } from "../src/index.ts";
import { alice, bob, openPolicyFolder } from "./policyFolder.ts";

/** Points of 0, and a value that is null for Bob. */
const rows = `with r as (select address, points, nullif(points, 7) as v from points) select address,`;

test.each([
  [`${rows} sum(100 // points) as score from r group by address`, "(//) by 0"],
  [`${rows} sum(100 % points) as score from r group by address`, "(%) by 0"],
  [`${rows} sum(mod(100, points)) as score from r group by address`, "(mod) by 0"],
  [`${rows} points as score from r where 100 // points > 3`, "(//) by 0"],
  [`${rows} list_sum(list_transform([points], lambda p: 100 // p)) as score from r`, "(//) by 0"],
  [`${rows} points as score from r where points not in (select v from r)`, "NOT IN with a null"],
  [`${rows} points as score from r where v not in (1, 2)`, "NOT IN with a null"],
  [`${rows} points as score from r where points not in (1, null)`, "NOT IN with a null"],
  [`${rows} points as score from r where points <> all (select v from r)`, "NOT IN with a null"],
  [`${rows} arg_max(v, points order by points) as score from r group by address`, "arg_max() of a null"],
  [`${rows} min_by(points, v order by points) as score from r group by address`, "min_by() of a null"],
  [`${rows} sum(100 // points) as score from r where points > 0 group by address`, ""],
  [`${rows} sum(case when points = 0 then 0 else 100 // points end) as score from r group by address`, ""],
  [`${rows} sum(coalesce(100 // points, 0)) as score from r group by address`, ""],
  [`${rows} 100 // points as score from r group by all`, "(//) by 0"],
  [`${rows} sum(100 // greatest(points, 1)) as score from r group by address`, ""],
  [`${rows} 100 // points as score from r where points <> 0 group by address, 100 // points`, ""],
  [`${rows} sum(100 // points) filter (points > 0) as score from r group by address`, ""],
  [`${rows} sum(points) // count(*) as score from r group by address`, ""],
  [`${rows} points as score from r where points not in (select v from r where v is not null)`, ""],
  [`${rows} arg_max(points, points order by points) as score from r group by address`, ""],
])("what leaves out rows is found, and only that: %s", async (sql, found) => {
  await using folder = await openPolicyFolder({
    "points.csv": `address,points\n${alice},0\n${bob},7\n`,
    "policy.sql": sql,
  });
  const policy = await readPolicy(folder.path);
  expect(await findDropped(policy, openSources(policy))).toBe(found.startsWith("(") ? `a division ${found}` : found);
});
