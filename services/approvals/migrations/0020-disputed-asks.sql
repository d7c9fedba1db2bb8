-- Whether the home of an ask shows another answer of someone here than they sent: `now`, or `before`. They are told once.
alter table approvals add column disputed text check (disputed in ('now', 'before'));
