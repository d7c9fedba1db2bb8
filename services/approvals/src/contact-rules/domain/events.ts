import type { Outbox, OutboxRow } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actorOf, type Caller } from '@hearth/rpc';
import { rulesTopic } from '../../shared/domain/topics.ts';

type Person = Pick<PersonFacts, 'id' | 'app'>;

/** The page on which people look after their rules. */
const rulesPage = '/rules';

export function rulesChanged(
  outbox: Pick<Outbox, 'row'>,
  { id, app }: Person,
  caller: Caller | undefined,
): OutboxRow {
  return outbox.row(
    { case: 'requestRulesChanged', value: { person: id, apps: appsOf(app) } },
    [rulesTopic(id)],
    caller === undefined ? undefined : actorOf(caller),
  );
}

/** An AI proposes other rules to its person, who answers themselves. */
export function proposalNotice(
  outbox: Outbox,
  { id, app }: Person,
  proposal: { id: string },
  caller: Caller,
): OutboxRow {
  return outbox.row(
    {
      case: 'personNotified',
      value: {
        person: id,
        title: `${caller.name} proposes other rules for what reaches you`,
        body: '',
        link: rulesPage,
        kind: 'approval',
        item: proposal.id,
        apps: appsOf(app),
      },
    },
    [],
    actorOf(caller),
  );
}

function appsOf(app: string): string[] {
  return app === '' ? [] : [app];
}
