import { listCommand, minuteOf } from '../list-command.ts';

const yesOrNo = ['true', 'false'];

export const personList = listCommand({
  name: 'person list',
  summary: 'List people, newest first',
  operation: 'list_all_people',
  list: 'people',
  filters: {
    app: { help: 'filter by the app that manages their account (app_...)' },
    guest: {
      help: 'true: only guests, who joined with just a name; false: no guests',
      words: yesOrNo,
    },
    suspended: { help: 'true: only suspended people; false: no suspended people', words: yesOrNo },
    deleting: { help: 'true: only accounts scheduled for deletion; false: all others', words: yesOrNo },
  },
  help: 'Email addresses and dates of birth are never shown. For people under 18, the name is shortened and the handle hidden.',
  none: 'No matching people.',
  columns: ['PERSON', 'HANDLE', 'NAME', 'AGE', 'GUEST', 'APP', 'SINCE', 'DELETED ON', 'SUSPENDED UNTIL'],
  row: (person) => [
    person.id,
    person.handle ?? '-',
    person.name,
    person.age_band,
    person.guest ? 'yes' : 'no',
    person.app ?? '-',
    person.created_at.slice(0, 10),
    minuteOf(person.deletes_at),
    minuteOf(person.suspended_until),
  ],
});
