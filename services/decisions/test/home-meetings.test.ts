// In one file, so that they share one home.
import './home-meetings/offers.ts';
import './home-meetings/times.ts';
import './home-meetings/courses.ts';
import './home-meetings/strangers.ts';
