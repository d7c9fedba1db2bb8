import { notFound } from '@hearth/errors';
import type { Caller } from '@hearth/rpc';
import { ChangedHands } from '../../shared/actions/as-owner.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { type Party, viewerOf } from '../domain/party.ts';

/**
 * The place of the caller's side among the parties of a locked offer or meeting, whose AIs may have changed
 * hands since it was read.
 *
 * @throws ChangedHands if the caller is such an AI; not_found if the caller has no side by now
 */
export function requireSide(caller: Caller, parties: readonly Party[]): number {
  const viewer = viewerIdOf(caller);
  const place = parties.findIndex((party) => viewerOf(party) === viewer);
  if (place >= 0) return place;
  const self = parties.find(({ id }) => id === caller.id);
  throw self === undefined ? notFound() : new ChangedHands(self.person);
}
