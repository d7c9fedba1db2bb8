export { blockEnds } from './block-ends.ts';
export { describeParty, describePerson, type HomeParty } from './describe-party.ts';
export { type Named, readNamed } from './named.ts';
export { createOtherHomes, type OtherHomes } from './other-homes.ts';
export {
  aiHere,
  callerElsewhere,
  isHere,
  type Party,
  type PartyElsewhere,
  type PartyHere,
  type PartyKind,
  partyOf,
  personHere,
  responsiblePerson,
} from './party.ts';
export { createPeople, type Lookups, type People, type PeopleOptions, peopleSignal } from './people.ts';
export { personProof, proofOf } from './proof.ts';
export { shieldEvent, shieldId, unshield, unshieldEvent } from './shield.ts';
export {
  addressOf,
  isMinor,
  isSuspended,
  type ShownFacts,
  seesWhole,
  shieldedTime,
  shortenName,
  showPerson,
  snapshotOf,
  underAge,
  viewerOf,
} from './show.ts';
