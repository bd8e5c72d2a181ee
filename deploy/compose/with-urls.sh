#!/bin/sh
# Runs caudal as one of the database's two users, with the password from a secret: with-urls.sh login|owner COMMAND...
# The passwords must be letters and digits, since they go into a URL.
set -eu
user=$1
shift
url=postgres://caudal_$user:$(cat "${SECRETS:-/run/secrets}/$user")@${DATABASE_HOST:-database}/caudal
case $user in
owner) export CAUDAL_OWNER_DATABASE_URL="$url" ;;
login) export DATABASE_URL="$url" ;;
esac
exec caudal "$@"
