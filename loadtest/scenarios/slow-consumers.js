// Recipients that are busy for seven seconds between two polls and fetch five messages each time.
import { messages } from '../lib/messages.js';

const scenario = messages(
  { holders: 50, perSecond: 20, seconds: 40, wakeP99Ms: 20_000 },
  { restSeconds: 7, limit: 5, drainSeconds: 30 },
);
export const { options, setup, write, hold, handleSummary } = scenario;
