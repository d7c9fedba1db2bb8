-- Of an ask of another home, made in a group there: r:<home>:grp_... Its name and the handle with its home are in the columns of a group here.
alter table approvals add column group_reference text;
