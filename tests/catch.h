// Includes Catch2, version 2 or 3.
#pragma once
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_version_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using Listener = Catch::EventListenerBase;
#else
#include <catch2/catch.hpp>
#ifdef CATCH_CONFIG_EXTERNAL_INTERFACES
using Listener = Catch::TestEventListenerBase;
#endif
#endif
