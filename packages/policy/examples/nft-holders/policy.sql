-- One point for each block in which an account held a token.
select owner as address, sum(blocks) as score
from tokens
group by owner
