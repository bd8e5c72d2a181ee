#!/bin/sh
# Makes the database and its two users, once, when PostgreSQL's data folder is made.
set -eu
secrets=${SECRETS:-/run/secrets}
psql --set=ON_ERROR_STOP=1 --username=postgres \
    --set=owner="$(cat "$secrets/owner")" --set=login="$(cat "$secrets/login")" <<'SQL'
CREATE ROLE caudal_owner LOGIN CREATEROLE PASSWORD :'owner';
CREATE ROLE caudal_login LOGIN NOINHERIT PASSWORD :'login';
CREATE DATABASE caudal OWNER caudal_owner ENCODING 'UTF8' TEMPLATE template0;
SQL
