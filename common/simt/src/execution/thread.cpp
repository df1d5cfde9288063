#include "execution/thread.h"

namespace simt {

const char* name_of(WarpOp op) {
  switch (op) {
    case WarpOp::None:
      break;
    case WarpOp::Sync:
      return "__syncwarp()";
    case WarpOp::Shuffle:
      return "a shuffle";
    case WarpOp::Active:
      return "__activemask()";
    case WarpOp::All:
      return "__all_sync()";
    case WarpOp::Any:
      return "__any_sync()";
    case WarpOp::Ballot:
      return "__ballot_sync()";
    case WarpOp::MatchAny:
      return "__match_any_sync()";
    case WarpOp::MatchAll:
      return "__match_all_sync()";
    case WarpOp::Reduce:
      return "a reduction";
    case WarpOp::Group:
      return "an operation of a group";
    case WarpOp::GroupSync:
      return "sync() of a group";
    case WarpOp::MatrixLoad:
      return "wmma::load_matrix_sync()";
    case WarpOp::MatrixStore:
      return "wmma::store_matrix_sync()";
    case WarpOp::MatrixMultiply:
      return "wmma::mma_sync()";
    case WarpOp::LdMatrix:
      return "ldmatrix";
    case WarpOp::StMatrix:
      return "stmatrix";
    case WarpOp::MmaSync:
      return "mma.sync";
    case WarpOp::Wgmma:
      return "wgmma.mma_async";
    case WarpOp::WgmmaFence:
      return "wgmma.fence";
    case WarpOp::WgmmaCommit:
      return "wgmma.commit_group";
    case WarpOp::WgmmaWait:
      return "wgmma.wait_group";
    case WarpOp::SetRegisters:
      return "setmaxnreg";
  }
  return "nothing";
}

std::string what_stops(const Thread& thread) {
  switch (thread.state) {
    case Thread::Done:
      return "has exited";
    case Thread::AtBarrier:
      return "waits at __syncthreads()";
    case Thread::AtPhase:
      return thread.polls ? "waits for a phase" : "waits at another barrier";
    default:
      return std::string("waits at ") + name_of(thread.op);
  }
}

}  // namespace simt
