import { badField } from '@hearth/errors';
import type { Context } from '../context.ts';
import { policyFor } from '../domain/policy.ts';

/** Lists are read before any fetch, the operator's own too. @throws bad_field for a home that is not talked with */
export async function requireTalks({ known, mode }: Context, home: string): Promise<void> {
  if (policyFor(mode, await known.wordAbout(home)) !== 'blocked') return;
  const instead = mode === 'off' ? 'HEARTH_FEDERATION is off' : `allow it first: hearth home allow ${home}`;
  throw badField('home', `is not talked with; ${instead}`);
}
