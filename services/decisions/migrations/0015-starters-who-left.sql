-- A person who left the group, or was removed, sees no more of what they or their AI started there, nor does the app by which they did.
delete from seats s using decisions d
where s.kind = 'decision' and s.item = d.id and s.viewer in (d.starter_person, d.starter_app)
  and s.viewer is distinct from d.group_app
  and not exists (select from participants p where p.decision = d.id
    and (p.person in (d.starter_person, s.viewer) or s.viewer = any(p.guardians)));
delete from seats s using plans d
where s.kind = 'plan' and s.item = d.id and s.viewer in (d.starter_person, d.starter_app)
  and s.viewer is distinct from d.group_app
  and not exists (select from planners p where p.plan = d.id
    and (p.person in (d.starter_person, s.viewer) or s.viewer = any(p.guardians)));
