-- The volume of each account, at most 10,000 a day (UTC).
with day(trader, volume) as (
  select trader, least(sum(volume), 10000)
  from trades
  group by trader, time - time % 86400
)
select trader as address, sum(volume) as score
from day
group by trader
