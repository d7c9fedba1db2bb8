import { isMinor, isSuspended, shortenName } from '@hearth/people';
import { Via } from '@hearth/proto/common/v1/caller';
import type { LinksService } from '@hearth/proto/delivery/v1/links';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { noteOpened } from '../db/opened-links.ts';

/**
 * Returns the person that a link lets see a page; none if the link was opened before, the app that received
 * it no longer holds them, or they are suspended.
 */
export const openLink =
  ({ clock, database, links, people }: Context): UnaryHandler<typeof LinksService.method.openLink> =>
  async ({ token, path }) => {
    const link = links.read(token, path);
    const facts = link === null ? null : await people.findOne(link.person);
    if (link === null || facts === null || facts.app !== link.app || isSuspended(facts, clock.now()))
      return {};
    const first = await database.statement((tx) => noteOpened(tx, link));
    return first ? { viewer: viewerOf(facts) } : {};
  };

/** Returns a read-only caller for the person. */
function viewerOf(facts: PersonFacts) {
  const minor = isMinor(facts);
  return {
    kind: CallerKind.PERSON,
    id: facts.id,
    address: `@${facts.handle}`,
    name: minor ? shortenName(facts.name) : facts.name,
    scopes: [Scope.READ],
    guest: facts.guest,
    minor,
    language: facts.language,
    via: Via.WEB,
  };
}
