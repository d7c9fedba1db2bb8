import { create } from '@bufbuild/protobuf';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import { HomeRecipientsSchema } from '@hearth/proto/events/v1/events';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { findHomes } from '../actions/home-groups.ts';
import type { Context } from '../context.ts';
import { findGroups as readGroups } from '../db/groups.ts';
import { appsOfMembersIn } from '../db/members.ts';
import { toFacts } from '../domain/to-proto.ts';

const mostAsked = 500;

const toRecipients = (home: { home: string; to: string[] }) => create(HomeRecipientsSchema, home);

export const findGroups =
  ({ clock, database, people }: Context): UnaryHandler<typeof GroupsService.method.findGroups> =>
  async ({ ids, handles, withApps, withHomes }) => {
    const asked = ids.length + handles.length;
    if (asked > mostAsked) throw badField('ids', `at most ${mostAsked} groups at once; got ${asked}`);
    const rows = await readGroups(database.db, ids.filter(isUuid), handles);
    const apps = withApps
      ? await appsOfMembersIn(
          database.db,
          rows.map(({ id }) => id),
        )
      : null;
    const homes = new Map(
      await Promise.all(
        rows
          .filter(({ elsewhere }) => withHomes && elsewhere)
          .map(
            async ({ id }) => [id, (await findHomes({ database, people }, id)).map(toRecipients)] as const,
          ),
      ),
    );
    const now = clock.now();
    const isGiven = (app: string) => app !== '';
    const found = new Map(rows.flatMap((row) => [[row.id, row] as const, [`&${row.handle}`, row] as const]));
    const results = [...ids, ...handles.map((handle) => `&${handle}`)].map((key) => {
      const row = found.get(key);
      if (row === undefined) return {};
      const appsOf =
        apps === null ? [] : [...new Set([row.app, ...(apps.get(row.id) ?? [])])].filter(isGiven);
      return { group: { ...toFacts(row, now), apps: appsOf, homes: homes.get(row.id) ?? [] } };
    });
    return { results };
  };
