import type { MessageInitShape } from '@bufbuild/protobuf';
import { isHandle, parseAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { PeopleService, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { UnaryHandler } from '@hearth/rpc';
import { findParties } from '../../shared/db/parties.ts';
import { findPeopleByEmail } from '../../shared/db/person-emails.ts';
import type { Context } from '../context.ts';

const most = 500;

/** Facts about people for other services; deleted accounts have none. */
export const findPeople =
  ({ database, homeNames, people }: Context): UnaryHandler<typeof PeopleService.method.findPeople> =>
  async ({ ids, handles, emails }) => {
    if (ids.length + handles.length + emails.length > most)
      throw badField('ids', `must be at most ${most}, with handles and emails`);
    const byEmail = async () => {
      const owners = emails.length === 0 ? null : await findPeopleByEmail(database.db, emails);
      return await Promise.all(
        emails.map((email) => {
          const id = owners?.get(email);
          return id === undefined ? null : people.find(id);
        }),
      );
    };
    const found = await Promise.all([
      Promise.all(ids.map((id) => (isUuid(id) ? people.find(id) : null))),
      Promise.all(handles.map((handle) => (isHandle(handle) ? people.byHandle(handle) : null))),
      byEmail(),
    ]);
    const here = found.flat();
    const asked = [...ids, ...handles];
    const missing = asked.filter((_, index) => here[index] === null);
    const elsewhere = missing.length === 0 ? null : await findElsewhere({ database, homeNames }, missing);
    return {
      results: here.map((facts, index) => {
        const known = facts ?? elsewhere?.get(asked[index] ?? '');
        return known === undefined || known === null ? {} : { facts: known };
      }),
    };
  };

/** People of other homes by uuid or full address, keyed by the reference in the request. */
async function findElsewhere(
  { database, homeNames }: Pick<Context, 'database' | 'homeNames'>,
  asked: readonly string[],
): Promise<Map<string, MessageInitShape<typeof PersonFactsSchema>>> {
  const ids = asked.filter(isUuid);
  const addresses = asked.filter((reference) => reference.includes('@'));
  if (ids.length + addresses.length === 0) return new Map();
  const rows = await findParties(database.db, { ids, addresses });
  return new Map(
    rows.flatMap(({ id, address, person, name, home }) => {
      const at = address === null ? null : parseAddress(address, homeNames);
      if (!person || at === null) return [];
      const facts = { id, handle: at.handle, name, home, ageBand: AgeBand.ADULT };
      return [[id, facts] as const, [address as string, facts] as const];
    }),
  );
}
