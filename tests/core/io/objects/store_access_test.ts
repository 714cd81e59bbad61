/** Keys are found where AWS's programs keep them, and shown nowhere. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { findStoreAccess } from "../../../../src/core/io/objects/store_access.ts";
import { RegistryError } from "../../../../src/core/errors.ts";
import { ObjectStoreError } from "../../../../src/core/io/objects/object_store_error.ts";
import { inFolder } from "../../../_files.ts";

const CONFIG = `[default]
region = eu-west-1 # Dublin
[profile lab]
region=ap-south-1
endpoint_url = http://127.0.0.1:9000/
s3 =
  endpoint_url = http://127.0.0.1:1
[profile ceph]
services = local
region = r-1
endpoint_url = http://127.0.0.1:2
aws_access_key_id = AKIDCEPH
aws_secret_access_key = s3cretceph
[services other]
s3 =
  endpoint_url = http://127.0.0.1:3
[services local]
dynamodb =
  endpoint_url = http://127.0.0.1:4
s3 =
  addressing_style = path
  endpoint_url = http://127.0.0.1:9001 # Ceph
[profile "two words"]
sso_session = corp
[profile role]
role_arn = arn:aws:iam::1:role/r
`;
const CREDENTIALS = `[default]\r
aws_access_key_id = AKIDDEFAULT\r
aws_secret_access_key = s3cret/default+=\r
[lab]
aws_access_key_id=AKIDLAB
aws_secret_access_key=s3cretlab
aws_session_token=t0ken==
`;

async function withHome(
  run: (find: (env: Record<string, string>) => ReturnType<typeof findStoreAccess>) => Promise<void>,
) {
  await inFolder(async (home) => {
    await Deno.mkdir(join(home, ".aws"));
    await Deno.writeTextFile(join(home, ".aws", "config"), CONFIG);
    await Deno.writeTextFile(join(home, ".aws", "credentials"), CREDENTIALS);
    await run((env) => findStoreAccess("s3://lakes", {}, (name) => ({ HOME: home, ...env })[name]));
  });
}

Deno.test("region, endpoint and key come from variables, then from the profile", async () => {
  await withHome(async (find) => {
    const cases: [env: Record<string, string>, origin: string, id: string, region: string, url: string][] = [
      [{}, "profile default", "AKIDDEFAULT", "eu-west-1", "https://lakes.s3.eu-west-1.amazonaws.com/"],
      [{ AWS_PROFILE: "lab" }, "profile lab", "AKIDLAB", "ap-south-1", "http://127.0.0.1:9000/lakes/"],
      [{ AWS_PROFILE: "ceph" }, "profile ceph", "AKIDCEPH", "r-1", "http://127.0.0.1:9001/lakes/"],
      [{ AWS_PROFILE: "lab", AWS_REGION: "x-1" }, "profile lab", "AKIDLAB", "x-1", "http://127.0.0.1:9000/lakes/"],
      [
        { AWS_ACCESS_KEY_ID: "A", AWS_SECRET_ACCESS_KEY: "B", AWS_DEFAULT_REGION: "cn-north-1" },
        "the environment",
        "A",
        "cn-north-1",
        "https://lakes.s3.cn-north-1.amazonaws.com.cn/",
      ],
      [
        { AWS_ENDPOINT_URL: "http://127.0.0.1:1", AWS_ENDPOINT_URL_S3: "http://127.0.0.1:2" },
        "profile default",
        "AKIDDEFAULT",
        "eu-west-1",
        "http://127.0.0.1:2/lakes/",
      ],
    ];
    for (const [env, origin, id, region, url] of cases) {
      const access = await find(env);
      assertEquals([access.origin, access.revealKey()?.accessKeyId, access.region], [origin, id, region]);
      assertEquals(access.bucketUrl("lakes"), url);
    }
    assertEquals((await find({ AWS_PROFILE: "lab" })).revealKey()?.sessionToken, "t0ken==");
    assertEquals((await find({ AWS_NO_SIGN_REQUEST: "YES" })).revealKey(), undefined);
  });
});

Deno.test("a bucket whose name is not a valid host name goes into the path", async () => {
  const access = await findStoreAccess("s3://a.b", { anonymous: true }, () => undefined);
  assertEquals(access.bucketUrl("a.b"), "https://s3.us-east-1.amazonaws.com/a.b/");
});

Deno.test("absent keys say where to put them", async () => {
  await withHome(async (find) => {
    const cases: [env: Record<string, string>, says: string][] = [
      [{ HOME: "/nowhere" }, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"],
      [{ AWS_PROFILE: "labb" }, "there is no profile labb"],
      [{ AWS_PROFILE: "two words" }, "aws configure export-credentials"],
      [{ AWS_PROFILE: "role" }, "role_arn"],
      [{ AWS_ACCESS_KEY_ID: "A" }, "set AWS_SECRET_ACCESS_KEY, too"],
      [{ AWS_ENDPOINT_URL: "http://user:hunter2@host/" }, "AWS_ENDPOINT_URL"],
    ];
    for (const [env, says] of cases) {
      const error = await assertRejects(() => find(env), ObjectStoreError, says);
      assertEquals([error.code, error.fault, error.message.includes("hunter2")], [
        "object-store",
        "no-credentials",
        false,
      ]);
    }
  });
});

Deno.test("SEQREG_OFFLINE=1 leaves the stores of this machine", async () => {
  const env = (name: string) => ({ SEQREG_OFFLINE: "1", AWS_NO_SIGN_REQUEST: "yes" })[name];
  await findStoreAccess("s3://lakes", { endpoint: "http://127.0.0.1:9000" }, env);
  const error = await assertRejects(
    () => findStoreAccess("s3://lakes", {}, env),
    RegistryError,
    "SEQREG_OFFLINE forbids",
  );
  assertEquals(error.code, "offline");
});

Deno.test("nothing that prints access prints its key", async () => {
  const key = { accessKeyId: "AKIDSEEN", secretAccessKey: "hunter2hunter2", sessionToken: "t0kent0ken" };
  const access = await findStoreAccess("s3://lakes", { key }, () => undefined);
  const shown = [Deno.inspect(access, { depth: 9, showHidden: true }), JSON.stringify(access), String(access)].join();
  for (const part of Object.values(key)) assert(!shown.includes(part), shown);
  assertEquals(access.conceal("AKIDSEEN hunter2hunter2 t0kent0ken"), "… … …");
});

Deno.test("a word as a key, as stores of tests take it, garbles no message", async () => {
  for (const word of ["a", "any", "test"]) {
    const key = { accessKeyId: word, secretAccessKey: word };
    const access = await findStoreAccess("s3://lakes", { key }, () => undefined);
    const text = "Cannot read s3://lakes/test/company/lake.json: any answer";
    assertEquals(access.conceal(text), text);
  }
});

Deno.test(
  "without permissions nothing is read, and the error names them",
  { permissions: { read: false, env: false } },
  async () => {
    await assertRejects(() => findStoreAccess("s3://lakes"), ObjectStoreError, "--allow-env='AWS_*'");
  },
);
