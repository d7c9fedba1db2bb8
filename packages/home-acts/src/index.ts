export { toAbroad, toHere } from './abroad.ts';
export { type BrokenRule, brokenRule, ruleBrokenIn } from './broken-rule.ts';
export { actorOf, personBehind } from './call-elsewhere.ts';
export { type Checks, checks } from './checks.ts';
export { type CopyChange, copyTopic } from './copies.ts';
export type { CopySeat } from './copies-db.ts';
export type { Admission, Copy, CopyKind, CopyState, PeerStanding } from './copy-kind.ts';
export type { SentWord } from './db.ts';
export { disputedNews, disputedNotices, recordDispute } from './disputed.ts';
export {
  type Copies,
  type CopiesBy,
  createHomeThings,
  type HomeThings,
  type SeenCopy,
} from './home-things.ts';
export { type LastSaid, lastSaidIn } from './last-said.ts';
export { momentOfNo } from './no-of-rule.ts';
export { outOfBounds } from './out-of-bounds.ts';
export { poll } from './poll.ts';
export { readObject } from './read-object.ts';
export { receivesHomeItems } from './receive-items.ts';
export {
  createReceivedActs,
  newId,
  objectFieldOf,
  type ReceivedAct,
  type ReceivedActs,
  type Verdict,
} from './received-acts.ts';
export { isSigned, wordsRecorded } from './record.ts';
export {
  type ActDraft,
  createSentActs,
  type ReturnedAct,
  type SentAct,
  type SentActs,
} from './sent-acts.ts';
export { isLine, stateShapes } from './state-shapes.ts';
export { erasedState, homesOf, type OutgoingState, stateDue } from './states.ts';
