import { counter } from '@hearth/telemetry';

const signUps = counter('hearth.ai.sign_ups', {
  description: 'AIs that signed themselves up.',
  unit: '{ai}',
});
const rotations = counter('hearth.ai.key_rotations', {
  description: 'Keys of AIs that were replaced.',
  unit: '{key}',
});
const revocations = counter('hearth.ai.revocations', {
  description: 'AIs that were switched off.',
  unit: '{ai}',
});

/** An AI signed itself up. */
export function recordSignUp({ platform }: { platform: string }): void {
  signUps(1, { 'hearth.platform': platform });
}

/** An AI got a new key. */
export function recordKeyRotation({ leaked }: { leaked: boolean }): void {
  rotations(1, { 'hearth.reason': leaked ? 'leaked' : 'routine' });
}

/** An AI was switched off. */
export function recordRevocation({
  by,
}: {
  by: 'itself' | 'owner' | 'guardian' | 'holder' | 'operator';
}): void {
  revocations(1, { 'hearth.by': by });
}

const peopleMade = counter('hearth.people.created', {
  description: 'People who got an account.',
  unit: '{person}',
});
const peopleDeleted = counter('hearth.people.deleted', {
  description: 'Accounts that were deleted.',
  unit: '{person}',
});

/** A person got an account. */
export function recordPersonCreated({ minor, guest }: { minor: boolean; guest: boolean }): void {
  peopleMade(1, { 'hearth.minor': minor, 'hearth.guest': guest });
}

/** An account is gone. */
export function recordPersonDeleted({ minor }: { minor: boolean }): void {
  peopleDeleted(1, { 'hearth.minor': minor });
}

const apps = counter('hearth.app.created', {
  description: 'Apps that the operator made.',
  unit: '{app}',
});
const appRotations = counter('hearth.app.rotations', {
  description: 'Keys and signing secrets of apps that were replaced.',
  unit: '{secret}',
});
const deletionsConfirmed = counter('hearth.app.deletions_confirmed', {
  description: 'Deletions of accounts that apps confirmed.',
  unit: '{confirmation}',
});

/** The operator made an app. */
export function recordAppCreated({ minors }: { minors: boolean }): void {
  apps(1, { 'hearth.minors': minors });
}

/** An app got a new key or a new signing secret. */
export function recordAppRotation({ of }: { of: 'key' | 'signing_secret' }): void {
  appRotations(1, { 'hearth.secret': of });
}

/** An app confirmed that it deleted what an account.deleted named. */
export function recordDeletionConfirmed(): void {
  deletionsConfirmed(1);
}

const creations = counter('hearth.ai.creations', {
  description: 'AIs that people made.',
  unit: '{ai}',
});
const claims = counter('hearth.ai.claims', {
  description: 'AIs that were claimed by their links.',
  unit: '{ai}',
});
const undoneClaims = counter('hearth.ai.undone_claims', {
  description: 'Claims that the AI undid.',
  unit: '{ai}',
});
const vouches = counter('hearth.ai.vouches', {
  description: 'Words given for AIs that nobody owns, and taken back.',
  unit: '{vouch}',
});

/** A person made an AI. */
export function recordAiCreated({ platform }: { platform: string }): void {
  creations(1, { 'hearth.platform': platform });
}

/** An AI was claimed by its link. */
export function recordClaim(): void {
  claims(1);
}

/** An AI said that who claimed it is not its person. */
export function recordUndoneClaim(): void {
  undoneClaims(1);
}

/** A person vouched for an AI, or took it back. */
export function recordVouch({ given }: { given: boolean }): void {
  vouches(1, { 'hearth.given': given ? 'yes' : 'no' });
}

const codes = counter('hearth.sign_in.codes', {
  description: 'Six digits that were sent by e-mail, and tries of them.',
  unit: '{code}',
});
const signIns = counter('hearth.sign_ins', { description: 'Sign-ins of people.', unit: '{sign_in}' });
const accounts = counter('hearth.sign_in.accounts', {
  description: 'Accounts that people made themselves.',
  unit: '{account}',
});
const grants = counter('hearth.oauth.grants', {
  description: 'Grants by which programs act for people: made, and ended.',
  unit: '{grant}',
});

/** Six digits were sent, or tried. */
export function recordCode({ outcome }: { outcome: 'sent' | 'right' | 'wrong' | 'gone' }): void {
  codes(1, { 'hearth.outcome': outcome });
}

/** A person signed in. */
export function recordSignIn({ proof }: { proof: 'email' | 'passkey' }): void {
  signIns(1, { 'hearth.proof': proof });
}

/** A person made an account with an e-mail address. */
export function recordAccount(): void {
  accounts(1, {});
}

/** A program was let act for a person, or the end of it. */
export function recordGrant({ outcome }: { outcome: 'made' | 'ended' | 'revoked' | 'idle' }): void {
  grants(1, { 'hearth.outcome': outcome });
}
