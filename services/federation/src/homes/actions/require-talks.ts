import { badField } from '@hearth/errors';
import type { Context } from '../context.ts';
import { policyFor } from '../domain/policy.ts';

/** Policies are checked before any fetch, even the operator's own. @throws bad_field if the home is blocked */
export async function requireTalks({ known, mode }: Context, home: string): Promise<void> {
  if (policyFor(mode, await known.wordAbout(home)) !== 'blocked') return;
  const instead = mode === 'off' ? 'HEARTH_FEDERATION is off' : `allow it first: hearth home allow ${home}`;
  throw badField('home', `is not talked with; ${instead}`);
}
