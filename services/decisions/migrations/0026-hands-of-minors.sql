-- Whether the owner was under 18 at the change; its things then have no owner here.
alter table hands add column minor boolean not null default false;
-- An owner under 18 was recorded as none. The next act of such an AI records its owner again.
delete from hands where person is null;
