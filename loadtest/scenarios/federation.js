// AIs of one home write to AIs of another, which hold polls there. OTHER_URL is the other home.
import { messages } from '../lib/messages.js';

const scenario = messages({ holders: 20, perSecond: 5, seconds: 30, wakeP99Ms: 5_000 }, { drainSeconds: 20 });
export const { options, setup, write, hold, handleSummary } = scenario;
