// In one file, so that they share one home.
import './meetings/offers.ts';
import './meetings/times.ts';
import './meetings/courses.ts';
import './meetings/hosts.ts';
import './meetings/calendar.ts';
import './meetings/new-owners.ts';
