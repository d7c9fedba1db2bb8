import { t, verbatim } from '@hearth/i18n';
import type { Choice } from './components/field.ts';
import type { Words } from './html.ts';

/** The areas at the start of zone names. */
const areas = [
  ...(['Africa', 'America', 'Antarctica', 'Arctic', 'Asia'] as const),
  ...(['Atlantic', 'Australia', 'Europe', 'Indian', 'Pacific'] as const),
];

type Area = (typeof areas)[number];

interface ZoneGroup {
  label: Words;
  choices: readonly Choice[];
}

/** Zones that JavaScript knows by an old name, with their current names. */
const presentNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The current name of a zone. */
export const presentName = (zone: string): string => presentNames[zone] ?? zone;

const namesOfLongAgo = new Map(Object.entries(presentNames).map(([was, today]) => [today, was]));

/** Places that are spelled differently from their zones. */
const placeWords: Readonly<Record<string, string>> = {
  DumontDUrville: 'Dumont d’Urville',
  Ho_Chi_Minh: 'Ho Chi Minh City',
};

/** Every zone known to this machine, by area. */
export const timeZoneGroups: readonly ZoneGroup[] = group(
  new Set(Intl.supportedValuesOf('timeZone').map(presentName)),
);

/** `timeZoneGroups` with the person's current zone under its stored name, so that submitting the form keeps it. */
export function timeZoneGroupsWith(present: string): readonly ZoneGroup[] {
  if (present === '' || timeZoneGroups.some(({ choices }) => choices.some(({ value }) => value === present)))
    return timeZoneGroups;
  const today = presentNames[present];
  if (today === undefined)
    return [
      { label: t('time-zones.yours'), choices: [{ value: present, words: verbatim(present) }] },
      ...timeZoneGroups,
    ];
  const asTheyHaveIt = (choice: Choice) => (choice.value === today ? { ...choice, value: present } : choice);
  return timeZoneGroups.map(({ label, choices }) => ({ label, choices: choices.map(asTheyHaveIt) }));
}

function group(zones: Iterable<string>): ZoneGroup[] {
  const groups = new Map<Area, Map<string, Choice>>();
  for (const zone of zones) {
    const [first = '', ...rest] = zone.split('/');
    const area = areas.find((known) => known === first);
    if (area === undefined || rest.length === 0) continue;
    const choices = groups.get(area) ?? new Map<string, Choice>();
    const path = rest.join('/');
    const place = placeWords[path] ?? path.replaceAll('_', ' ').replaceAll('/', ', ');
    choices.set(place, { value: zone, was: namesOfLongAgo.get(zone), words: verbatim(place) });
    groups.set(area, choices);
  }
  return [
    ...[...groups].map(([area, choices]) => ({
      label: t(`time-zones.area.${area}`),
      choices: [...choices].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, choice]) => choice),
    })),
    { label: t('time-zones.world'), choices: [{ value: 'UTC', words: verbatim('UTC') }] },
  ];
}
