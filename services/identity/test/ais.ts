import { createHash } from 'node:crypto';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import { aiCaller, anyoneFrom, type TestIdentity } from './start-identity.ts';

export interface SignedUp {
  uuid: string;
  /** ai_... */
  id: string;
  address: string;
  key: string;
  claimLink: string;
  caller: Caller;
}

export async function signUpAi({ by }: TestIdentity, name = 'Robin'): Promise<SignedUp> {
  const answer = await by(anyoneFrom('203.0.113.0/24')).signUp({ name });
  const id = answer.ai!.id;
  const uuid = parseId('ai', id)!;
  return {
    uuid,
    id,
    address: answer.address,
    key: answer.connectorKey!,
    claimLink: answer.claimLink!,
    caller: aiCaller(uuid),
  };
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
