import { plain } from '../../plain.ts';
import { listCommand, minuteOf } from '../list-command.ts';
import { homeStates, talkWords } from './home.ts';

export const homeList = listCommand({
  name: 'home list',
  summary: 'list the other homes that this one knows',
  operation: 'list_homes',
  list: 'homes',
  filters: {
    status: { help: `only these: ${homeStates.join(', ')}`, words: homeStates },
  },
  help: `Those with key_change wait for your word: hearth home show <home>`,
  none: 'This home knows no such homes.',
  columns: ['HOME', 'TALKED WITH', 'STATUS', 'UNTIL', 'LAST TAKEN', 'UNSENT', 'LAST FAILURE'],
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
    // The newest trouble in a line; home show has all of it.
    plain(
      failure ?? error ?? (more.restored_at === undefined ? '-' : `restored ${minuteOf(more.restored_at)}`),
    ),
  ],
});
