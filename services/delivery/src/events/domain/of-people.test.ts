import { create } from '@bufbuild/protobuf';
import { createLanguage, english, storeTexts, type Text, t } from '@hearth/i18n';
import { PersonNotifiedSchema } from '@hearth/proto/events/v1/events';
import { expect, test } from '@jest/globals';
import { inWords } from '../../../test/in-words.ts';
import { peopleEvents } from './of-people.ts';

const german = createLanguage(
  'de',
  { 'notices.ask': '{whom, select, you {{who} fragt dich} other {{who} fragt {name}}}' },
  english,
);
const ask = { person: 'ada', kind: 'approval', item: 'apr', link: '/a/1' };

test('a notice from another service keeps its message, and names a person under 18 to their guardian', () => {
  const title = t('notices.ask', { who: 'Robin', whom: 'you', name: '' });
  const event = create(PersonNotifiedSchema, { ...ask, ...storeTexts({ title, body: 'Coming?' }) });
  const notice = peopleEvents.personNotified.notice(event)!;
  const forGuardian = notice.instead('Kit Q.');
  expect(inWords([notice, forGuardian])).toMatchObject([
    { title: 'Robin asks you', body: 'Coming?' },
    { title: 'Robin asks Kit Q.', body: 'Coming?' },
  ]);
  const titles = [notice.title, forGuardian.title] as Text[];
  expect(titles.map(german.words)).toEqual(['Robin fragt dich', 'Robin fragt Kit Q.']);
});

test('a notice from the previous version keeps its text', () => {
  const event = create(PersonNotifiedSchema, { ...ask, title: 'Robin asks you', body: 'Coming?' });
  const notice = peopleEvents.personNotified.notice(event)!;
  expect(notice).toMatchObject({ title: 'Robin asks you', body: 'Coming?' });
  expect(notice.instead('Kit Q.')).toEqual({ title: 'Robin asks Kit Q.', body: 'Coming?' });
});
