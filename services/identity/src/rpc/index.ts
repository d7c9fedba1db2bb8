import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Handlers } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { describeMe } from './describe-me.ts';
import { findProfiles } from './find-profiles.ts';
import { getCard } from './get-card.ts';
import { noteSeen } from './note-seen.ts';
import { noteWakes } from './note-wakes.ts';
import { resolveCredential } from './resolve-credential.ts';
import { revokeAi } from './revoke-ai.ts';
import { rotateAiKey } from './rotate-ai-key.ts';
import { setAway } from './set-away.ts';
import { signUp } from './sign-up.ts';
import { whoami } from './whoami.ts';

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
