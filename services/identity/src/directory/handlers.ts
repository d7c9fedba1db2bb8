import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Handlers } from '@hearth/rpc';
import type { Context } from './context.ts';
import { describeMe } from './rpc/describe-me.ts';
import { findProfiles } from './rpc/find-profiles.ts';
import { getCard } from './rpc/get-card.ts';
import { noteSeen } from './rpc/note-seen.ts';
import { noteWakes } from './rpc/note-wakes.ts';
import { resolveCredential } from './rpc/resolve-credential.ts';
import { revokeAi } from './rpc/revoke-ai.ts';
import { rotateAiKey } from './rpc/rotate-ai-key.ts';
import { setAway } from './rpc/set-away.ts';
import { signUp } from './rpc/sign-up.ts';
import { whoami } from './rpc/whoami.ts';

export function handlers(context: Context): Handlers<typeof IdentityService> {
  return {
    signUp: signUp(context),
    whoami: whoami(context),
    getCard: getCard(context),
    describeMe: describeMe(context),
    setAway: setAway(context),
    rotateAiKey: rotateAiKey(context),
    revokeAi: revokeAi(context),
    resolveCredential: resolveCredential(context),
    findProfiles: findProfiles(context),
    noteSeen: noteSeen(context),
    noteWakes: noteWakes(context),
  };
}
