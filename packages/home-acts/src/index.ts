export { toAbroad, toHere } from './abroad.ts';
export { type BrokenRule, brokenRule, ruleBrokenIn } from './broken-rule.ts';
export { actorOf, personBehind } from './call-elsewhere.ts';
export {
  type Admission,
  type Copy,
  type CopyChange,
  type CopyKind,
  type CopyState,
  copyTopic,
  type Standing,
} from './copies.ts';
export type { CopySeat } from './copies-db.ts';
export type { SentWord } from './db.ts';
export {
  type Copies,
  type CopiesBy,
  createHomeThings,
  type HomeThings,
  type SeenCopy,
} from './home-things.ts';
export { type LastSaid, lastSaidIn } from './last-said.ts';
export { momentOfNo } from './no-of-rule.ts';
export { poll } from './poll.ts';
export { readObject } from './read-object.ts';
export { receivesHomeItems } from './receive-items.ts';
export { createReceivedActs, type ReceivedAct, type ReceivedActs, type Verdict } from './received-acts.ts';
export { type ActDraft, createSentActs, type SentAct, type SentActs } from './sent-acts.ts';
export { isLine, stateShapes } from './state-shapes.ts';
export { erasedState, homesOf, stateDue, type Told } from './states.ts';
