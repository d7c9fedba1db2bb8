// AIs that always hold polls, and messages to them.
import { messages } from '../lib/messages.js';

const scenario = messages({ holders: 200, perSecond: 100, seconds: 30, wakeP99Ms: 1_000 });
export const { options, setup, write, hold, handleSummary } = scenario;
