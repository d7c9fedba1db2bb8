-- The parties whose offers are from before other meetings of theirs closed times, until each has been looked at once.
create table unfollowed_offers (viewer uuid primary key);

insert into unfollowed_offers
select distinct host_viewer from offers
where status in ('open', 'taken') and elsewhere is null and expires_at > now();
