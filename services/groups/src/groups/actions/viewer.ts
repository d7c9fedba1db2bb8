import { type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { Viewer } from '../db/shown-groups.ts';

/** The caller as a viewer of groups. An AI without an owner sees no groups. */
export function viewerOf(caller: Caller): Viewer {
  return {
    person: personOf(caller),
    app: caller.kind === callerKinds.APP ? caller.id : null,
    group: caller.kind === callerKinds.AI && caller.group !== '' ? caller.group : null,
  };
}
