import { Role } from '@hearth/proto/groups/v1/groups';
import { AgeBand } from '@hearth/proto/identity/v1/resources';

/** As rows have it. What is no band that this version knows counts as the youngest. */
export function ageBandWord(band: AgeBand): 'adult' | 'teen16' | 'teen13' | 'child' {
  if (band === AgeBand.ADULT) return 'adult';
  if (band === AgeBand.TEEN16) return 'teen16';
  return band === AgeBand.TEEN13 ? 'teen13' : 'child';
}

export function toRole(role: 'organizer' | 'member'): Role {
  return role === 'organizer' ? Role.ORGANIZER : Role.MEMBER;
}

export function ageBandOf(word: 'adult' | 'teen16' | 'teen13' | 'child'): AgeBand {
  return { adult: AgeBand.ADULT, teen16: AgeBand.TEEN16, teen13: AgeBand.TEEN13, child: AgeBand.CHILD }[word];
}
