-- The AI with which a post was closed, by its uuid: shown as it is called now, so that no handle of a deleted account stays.
alter table commons_posts add column closed_with_ai uuid;
update commons_posts p set closed_with_ai = a.ai from commons_authors a where a.address = p.closed_with;
-- Read no more. An address that no author has may be that of a deleted account.
update commons_posts set closed_with = null where closed_with is not null;
