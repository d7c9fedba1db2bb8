import { type Caller, callerKinds, personOf } from '@hearth/rpc';

/** uuid of the viewer that the caller reads as: their person, else the AI or the app itself. */
export function viewerIdOf(caller: Caller): string {
  return caller.kind === callerKinds.APP ? caller.id : (personOf(caller) ?? caller.id);
}
