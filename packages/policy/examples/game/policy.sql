-- Points for each action of the game; other actions count nothing.
with weight(action, points) as (
  values ('quest', 50), ('match', 10), ('login', 1)
)
select player as address, sum(points) as score
from actions
join weight using (action)
group by player
