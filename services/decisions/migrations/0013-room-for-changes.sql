-- Room on each page for the next version of its rows: a version that stays on its page needs no new entry in any index. An answer
-- writes both rows anew, that of the person and that of the decision or plan.
alter table decisions set (fillfactor = 50);
alter table participants set (fillfactor = 50);
alter table plans set (fillfactor = 50);
alter table planners set (fillfactor = 50);
