// Messages to held polls for a long time, which reveals growth. SECONDS=86400 for a day.
import { messages } from '../lib/messages.js';

const scenario = messages({ holders: 100, perSecond: 20, seconds: 600, wakeP99Ms: 1_000 });
export const { options, setup, write, hold, handleSummary } = scenario;
