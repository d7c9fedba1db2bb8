-- No one reads in which group a claimer put an AI: the event of the claim says it. Nothing is written there any more.
delete from ai_groups;
