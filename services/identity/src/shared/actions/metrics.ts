import { eventCounter } from '@hearth/telemetry';

export const recordSignUp = eventCounter(
  'hearth.ai.sign_ups',
  { description: 'AIs that signed themselves up.', unit: '{ai}' },
  ({ platform }: { platform: string }) => ({ 'hearth.platform': platform }),
);

export const recordKeyRotation = eventCounter(
  'hearth.ai.key_rotations',
  { description: 'Keys of AIs that were replaced.', unit: '{key}' },
  ({ leaked }: { leaked: boolean }) => ({ 'hearth.reason': leaked ? 'leaked' : 'routine' }),
);

export const recordRevocation = eventCounter(
  'hearth.ai.revocations',
  { description: 'AIs that were switched off.', unit: '{ai}' },
  ({ by }: { by: 'itself' | 'owner' | 'guardian' | 'holder' | 'operator' }) => ({ 'hearth.by': by }),
);

export const recordPersonCreated = eventCounter(
  'hearth.people.created',
  { description: 'People who got an account.', unit: '{person}' },
  ({ minor, guest }: { minor: boolean; guest: boolean }) => ({
    'hearth.minor': minor,
    'hearth.guest': guest,
  }),
);

export const recordPersonDeleted = eventCounter(
  'hearth.people.deleted',
  { description: 'Accounts that were deleted.', unit: '{person}' },
  ({ minor }: { minor: boolean }) => ({ 'hearth.minor': minor }),
);

export const recordAppCreated = eventCounter(
  'hearth.app.created',
  { description: 'Apps that the operator made.', unit: '{app}' },
  ({ minors }: { minors: boolean }) => ({ 'hearth.minors': minors }),
);

export const recordAppRotation = eventCounter(
  'hearth.app.rotations',
  { description: 'Keys and signing secrets of apps that were replaced.', unit: '{secret}' },
  ({ of }: { of: 'key' | 'signing_secret' }) => ({ 'hearth.secret': of }),
);

export const recordDeletionConfirmed = eventCounter('hearth.app.deletions_confirmed', {
  description: 'Deletions of accounts that apps confirmed.',
  unit: '{confirmation}',
});

export const recordAiCreated = eventCounter(
  'hearth.ai.creations',
  { description: 'AIs that people made.', unit: '{ai}' },
  ({ platform }: { platform: string }) => ({ 'hearth.platform': platform }),
);

export const recordClaim = eventCounter('hearth.ai.claims', {
  description: 'AIs that were claimed by their links.',
  unit: '{ai}',
});

export const recordUndoneClaim = eventCounter('hearth.ai.undone_claims', {
  description: 'Claims that the AI undid.',
  unit: '{ai}',
});

export const recordVouch = eventCounter(
  'hearth.ai.vouches',
  { description: 'Words given for AIs that nobody owns, and taken back.', unit: '{vouch}' },
  ({ given }: { given: boolean }) => ({ 'hearth.given': given ? 'yes' : 'no' }),
);

export const recordCode = eventCounter(
  'hearth.sign_in.codes',
  { description: 'Six digits that were sent by email, and tries of them.', unit: '{code}' },
  ({ outcome }: { outcome: 'sent' | 'right' | 'wrong' | 'gone' }) => ({ 'hearth.outcome': outcome }),
);

export const recordSignIn = eventCounter(
  'hearth.sign_ins',
  { description: 'Sign-ins of people.', unit: '{sign_in}' },
  ({ proof }: { proof: 'email' | 'passkey' }) => ({ 'hearth.proof': proof }),
);

export const recordAccount = eventCounter('hearth.sign_in.accounts', {
  description: 'Accounts that people made themselves.',
  unit: '{account}',
});

export const recordGrant = eventCounter(
  'hearth.oauth.grants',
  { description: 'Grants by which programs act for people: made, and ended.', unit: '{grant}' },
  ({ outcome }: { outcome: 'made' | 'ended' | 'revoked' | 'idle' }) => ({ 'hearth.outcome': outcome }),
);
