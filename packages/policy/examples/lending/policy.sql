-- Supplied amount times blocks, and twice the borrowed amount times blocks, in millions.
with change(account, weight, amount, height) as (
  select account, 1, amount, height from supplies
  union all select account, 1, -amount, height from withdrawals
  union all select account, 2, amount, height from loans
  union all select account, 2, -amount, height from repayments
)
-- An amount counts from the block of its change to the window's last one.
select
  account as address,
  sum(weight * amount * (last_height - greatest(height, first_height) + 1)) // 1000000 as score
from change
cross join policy_window
group by account
having score > 0
