import { plain } from '../../plain.ts';
import { listCommand, minuteOf } from '../list-command.ts';
import { homeStates, talkWords } from './home.ts';

export const homeList = listCommand({
  name: 'home list',
  summary: 'List known homes',
  operation: 'list_homes',
  list: 'homes',
  filters: {
    status: { help: `filter by status: ${homeStates.join(', ')}`, words: homeStates },
  },
  help: `Homes with status key_change need your decision. See: hearth home show <home>`,
  none: 'No matching homes.',
  columns: ['HOME', 'CONNECTED', 'STATUS', 'VALID UNTIL', 'LAST FETCHED', 'UNSENT', 'LAST ERROR'],
  row: ({
    home,
    talks,
    policy,
    status,
    valid_until: until,
    good_at: goodAt,
    failure,
    unsent,
    last_error: error,
    ...more
  }) => [
    home,
    talkWords({ talks, policy }),
    status,
    minuteOf(until),
    minuteOf(goodAt),
    `${unsent}`,
    // The latest problem on one line; home show has all of them.
    plain(
      failure ?? error ?? (more.restored_at === undefined ? '-' : `restored ${minuteOf(more.restored_at)}`),
    ),
  ],
});
