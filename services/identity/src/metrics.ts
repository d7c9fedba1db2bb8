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
export function recordRevocation({ by }: { by: 'itself' | 'operator' }): void {
  revocations(1, { 'hearth.by': by });
}
