import { constants } from "node:os";
import { expect, it } from "vitest";
import { plainError } from "../childJob.ts";
import { systemError } from "./inputError.ts";

/** An error of Node for a call of the system. */
function thrown(code: string, syscall: string, more: object = {}): Error {
  const errno = -((constants.errno as Readonly<Record<string, number>>)[code] ?? 3_008);
  return Object.assign(new Error(`${code}: refused, ${syscall}`), { code, errno, syscall, ...more });
}

const ofSockets = /^E(AFNO|ADDR|CONN|DESTADDR|HOST|ISCONN|MSGSIZE|NET|NOTCONN|NOTSOCK|PIPE|PROTO|TIMEDOUT)/;
const fileCodes = Object.keys(constants.errno).filter((code) => !ofSockets.test(code));
const reads = ["open", "read", "stat", "lstat", "scandir", "readlink", "realpath", "access", "fstat", "opendir"];
const writes = ["write", "mkdir", "mkdtemp", "rename", "unlink", "rmdir", "rm", "copyfile", "cp", "link", "symlink"];
const moreWrites = ["chmod", "chown", "utime", "futime", "ftruncate", "fsync", "fdatasync", "appendFile"];
const connectionCodes = [
  ..."ECONNRESET ECONNREFUSED ECONNABORTED EPIPE EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENETRESET ETIMEDOUT".split(
    " ",
  ),
  ..."EADDRINUSE EADDRNOTAVAIL EAI_AGAIN EAI_FAIL EAI_NODATA ENOTFOUND EPROTO ENOTCONN EMSGSIZE ENOTSOCK".split(" "),
];
const nodeCodes = [
  ..."CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_UNTRUSTED CERT_REVOKED DEPTH_ZERO_SELF_SIGNED_CERT".split(" "),
  ..."SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT HOSTNAME_MISMATCH".split(" "),
  ..."ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_HANDSHAKE_TIMEOUT ERR_SSL_WRONG_VERSION_NUMBER INVALID_CA".split(" "),
  ..."UND_ERR_SOCKET UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT HPE_INVALID_CONSTANT".split(
    " ",
  ),
  ..."ERR_STREAM_PREMATURE_CLOSE ERR_SOCKET_CLOSED ERR_HTTP_INVALID_STATUS_CODE".split(" "),
];

it.each(fileCodes)("%s of a file is the file's, which is named", (code) => {
  const file = { path: "/data/scores.csv" };
  for (const call of reads) {
    const isWrite = ["EDQUOT", "EEXIST", "EFBIG", "ENOSPC", "ENOTEMPTY", "EROFS", "ETXTBSY", "EXDEV"].includes(code);
    const error = systemError(thrown(code, call, file));
    expect(error).toMatchObject({ code: isWrite ? "FILE_UNWRITABLE" : "FILE_UNREADABLE" });
    expect(error?.shortMessage).toMatch(new RegExp(`^/data/scores.csv .*${code}`));
  }
  for (const call of [...writes, ...moreWrites]) {
    expect(systemError(thrown(code, call, file))).toMatchObject({ code: "FILE_UNWRITABLE" });
  }
  expect(systemError(thrown(code, "spawn minitiad", { path: "minitiad" }))).toMatchObject({
    code: expect.stringMatching(/^FILE_/) as string,
  });
});

it.each(connectionCodes)("%s of a socket is a connection's or a port's", (code) => {
  for (const call of ["connect", "read", "write", "getaddrinfo", "accept"]) {
    expect(systemError(thrown(code, call))).toMatchObject({ code: "NODE_UNREACHABLE", details: code });
  }
  for (const call of ["listen", "bind"])
    expect(systemError(thrown(code, call))).toMatchObject({ code: "CONFIG_INVALID" });
});

it.each(["EACCES", "EPERM", "EMFILE", "ENOBUFS", "EINVAL"])("%s of a call of sockets is not a file's", (code) => {
  expect(systemError(thrown(code, "connect"))).toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(systemError(thrown(code, "listen"))).toMatchObject({ code: "CONFIG_INVALID" });
});

it.each(nodeCodes)("%s is a connection's, also as a cause, and among several", (code) => {
  const fault = Object.assign(new Error("it failed"), { code });
  for (const error of [fault, new TypeError("fetch failed", { cause: fault }), new AggregateError([fault])]) {
    expect(systemError(error)).toMatchObject({ code: "NODE_UNREACHABLE", details: code });
  }
});

it("anything else may be a bug", () => {
  const loop: Error & { cause?: unknown } = new Error("loop");
  loop.cause = loop;
  const bugs = [new TypeError("x is undefined"), new RangeError("no"), "text", undefined, loop, new AggregateError([])];
  for (const bug of [...bugs, Object.assign(new TypeError("no"), { code: "ERR_INVALID_ARG_TYPE" })]) {
    expect(systemError(bug)).toBeUndefined();
  }
});

it("a process of a job sends it worded", () => {
  expect(plainError(thrown("EACCES", "mkdir", { path: "spill" }))).toMatchObject({ code: "FILE_UNWRITABLE" });
  expect(plainError(new TypeError("oops"))).toContain("TypeError: oops");
});
