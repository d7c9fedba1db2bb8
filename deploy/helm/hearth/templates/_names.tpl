{{- define "hearth.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The labels that select this release's pods. */ -}}
{{- define "hearth.selector" -}}
app.kubernetes.io/name: hearth
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "hearth.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "hearth.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- /* The home's services, the gateway first. */ -}}
{{- define "hearth.services" -}}
gateway identity groups decisions approvals messages federation delivery
{{- end -}}

{{- /* The settings of one service as YAML: its own, merged over the defaults. */ -}}
{{- define "hearth.settings" -}}
{{- $own := deepCopy (get .root.Values.services .service) -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) $own | toYaml -}}
{{- end -}}

{{- define "hearth.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ default $.Chart.AppVersion .tag }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "hearth.secret" -}}
{{- default (printf "%s-secrets" (include "hearth.fullname" .)) .Values.secrets.existing -}}
{{- end -}}

{{- /* "true" if the chart includes this small server, else empty. A home of one pod needs none. */ -}}
{{- define "hearth.bringsPostgres" -}}
{{- if and (eq .Values.mode "split") .Values.embedded.enabled (not .Values.database.existingSecret.name) }}true{{ end -}}
{{- end -}}
{{- define "hearth.bringsNats" -}}
{{- if and (eq .Values.mode "split") .Values.embedded.enabled (not (or .Values.nats.url .Values.nats.existingSecret.name)) }}true{{ end -}}
{{- end -}}
{{- define "hearth.bringsRedis" -}}
{{- if and (eq .Values.mode "split") .Values.embedded.enabled (not (or .Values.redis.url .Values.redis.existingSecret.name)) }}true{{ end -}}
{{- end -}}

{{- /* Checks between values, which the schema cannot express. */ -}}
{{- define "hearth.check" -}}
{{- if eq .Values.mode "split" -}}
{{- if not (or .Values.embedded.enabled .Values.database.existingSecret.name) -}}
{{- fail "mode split needs a Postgres: give database.existingSecret.name, or embedded.enabled=true for a trial" -}}
{{- end -}}
{{- if not (or .Values.embedded.enabled .Values.nats.url .Values.nats.existingSecret.name) -}}
{{- fail "mode split needs a NATS: give nats.url or nats.existingSecret.name, or embedded.enabled=true for a trial" -}}
{{- end -}}
{{- if and (eq .Values.migrations.mode "hook") (include "hearth.bringsPostgres" .) -}}
{{- fail "migrations.mode=hook runs before anything of the release is there: it needs database.existingSecret.name" -}}
{{- end -}}
{{- end -}}
{{- include "hearth.checkPath" . -}}
{{- if and .Values.gatewayApi.enabled (not .Values.gatewayApi.parentRefs) -}}
{{- fail "gatewayApi.enabled needs gatewayApi.parentRefs: the Gateway that the route belongs to" -}}
{{- end -}}
{{- end -}}

{{- /* Refuses upgrades that would lose data or skip a version. Without a cluster, rendering cannot see an installed version. */ -}}
{{- define "hearth.checkPath" -}}
{{- if .Release.IsUpgrade -}}
{{- $full := include "hearth.fullname" . -}}
{{- $split := lookup "apps/v1" "Deployment" .Release.Namespace (printf "%s-gateway" $full) -}}
{{- $single := lookup "apps/v1" "StatefulSet" .Release.Namespace (printf "%s-home" $full) -}}
{{- $was := ternary "single" "split" (empty $split) -}}
{{- $installed := default $single $split -}}
{{- if $installed -}}
{{- if ne $was .Values.mode -}}
{{- fail (printf "this release is mode %s, and mode %s would begin with an empty database: dump it, helm uninstall, helm install with mode %s, and restore the dump; see UPGRADING.md" $was .Values.mode .Values.mode) -}}
{{- end -}}
{{- $from := get (default dict $installed.metadata.labels) "app.kubernetes.io/version" -}}
{{- if $from -}}
{{- $old := semver $from -}}
{{- $new := semver .Chart.AppVersion -}}
{{- $forward := or (gt $new.Major $old.Major) (and (eq $new.Major $old.Major) (gt $new.Minor $old.Minor)) -}}
{{- $neighbours := or (and (eq $new.Major $old.Major) (le (sub (max $new.Minor $old.Minor) (min $new.Minor $old.Minor)) 1)) (and (eq $new.Major (add1 $old.Major)) (eq $new.Minor 0)) (and (eq $old.Major (add1 $new.Major)) (eq $old.Minor 0)) -}}
{{- if not $neighbours -}}
{{- fail (printf "%s is installed and this chart is %s, which leaves versions out: %s; see UPGRADING.md" $from .Chart.AppVersion (ternary "upgrade to each minor version between them in turn" "a database is read by the version before it and by none older, so restore the backup from before the upgrade" $forward)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
