export { calledBy } from './called-by.ts';
export { asAnonymous, asApp, asPerson, operator } from './callers.ts';
export { failure, textOf } from './calls.ts';
export { type Carried, type OneOfTwo, receive, startAtTwo, twoHomes } from './carry.ts';
export { type Chance, createChance } from './chance.ts';
export { eventually, follows } from './eventually.ts';
export { everyPage } from './every-page.ts';
export { type Fake, type FakePeers, fake, fakePeers, type RecordedCall } from './fake-peers.ts';
export { ids } from './ids.ts';
export { pagesAsTablesGrow, pagesOf, type Read } from './pages-of.ts';
export {
  type EventCase,
  type EventFields,
  type EventInit,
  type EventOf,
  type StartServiceOptions,
  startService,
  type TestService,
} from './start-service.ts';
export { createWorld, type FakeGroup, type World, type WorldOptions } from './world/world.ts';
