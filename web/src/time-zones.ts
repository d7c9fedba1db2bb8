import type { Choice } from './components/field.ts';

/** Places whose zones JavaScript still names as they were called long ago. */
const presentNames: Readonly<Record<string, string>> = {
  Asmera: 'Asmara',
  Calcutta: 'Kolkata',
  Coral_Harbour: 'Atikokan',
  DumontDUrville: "Dumont d'Urville",
  Enderbury: 'Kanton',
  Faeroe: 'Faroe',
  Godthab: 'Nuuk',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Ponape: 'Pohnpei',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh City',
  Truk: 'Chuuk',
};

/** Every zone that this machine knows, by continent, as a list offers them. */
export const timeZoneGroups: readonly { label: string; choices: readonly Choice[] }[] = group(
  Intl.supportedValuesOf('timeZone'),
);

function group(zones: readonly string[]): { label: string; choices: Choice[] }[] {
  const groups = new Map<string, Choice[]>();
  for (const zone of zones) {
    const slash = zone.indexOf('/');
    if (slash < 0) continue;
    const label = zone.slice(0, slash);
    const choices = groups.get(label) ?? [];
    const place = zone.slice(slash + 1);
    choices.push({
      value: zone,
      words: presentNames[place] ?? place.replaceAll('_', ' ').replaceAll('/', ', '),
    });
    groups.set(label, choices);
  }
  for (const choices of groups.values()) choices.sort((one, other) => (one.words < other.words ? -1 : 1));
  groups.set('Everywhere', [{ value: 'UTC', words: 'UTC' }]);
  return [...groups].map(([label, choices]) => ({ label, choices }));
}
