// All holders lose their connections at the same moment, every ten seconds, and reconnect at once.
import { messages } from '../lib/messages.js';

const scenario = messages(
  { holders: 200, perSecond: 20, seconds: 40, wakeP99Ms: 3_000 },
  { stormSeconds: 10 },
);
export const { options, setup, write, hold, handleSummary } = scenario;
