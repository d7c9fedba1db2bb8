export { createReceivedActs, type ReceivedAct, type ReceivedActs, type Verdict } from './received-acts.ts';
export { type ActDraft, createSentActs, type SentAct, type SentActs } from './sent-acts.ts';
