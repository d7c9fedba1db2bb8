import type { Database } from '@hearth/db';
import { isMinor, type People, shortenName } from '@hearth/people';
import { Via } from '@hearth/proto/common/v1/caller';
import type { LinksService } from '@hearth/proto/delivery/v1/links';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Handlers } from '@hearth/rpc';
import type { PageLinks } from '../actions/page-links.ts';
import { noteOpened } from '../db/opened-links.ts';

export interface OpenLinkContext {
  database: Database;
  links: Pick<PageLinks, 'read'>;
  people: Pick<People, 'findOne'>;
}

/** Whom a link lets see a page; nobody for one that was opened before, or of who is held by no app any more. */
export function createOpenLink({
  database,
  links,
  people,
}: OpenLinkContext): Handlers<typeof LinksService>['openLink'] {
  return async function openLink({ token, path }) {
    const link = links.read(token, path);
    const facts = link === null ? null : await people.findOne(link.person);
    if (link === null || facts === null || facts.app === '') return {};
    const first = await database.statement((tx) => noteOpened(tx, link));
    return first ? { viewer: viewerOf(facts) } : {};
  };
}

/** The person, who looks and does nothing. */
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
    via: Via.WEB,
  };
}
